/* French search: accents, ligatures and plurals count for nothing. Added after the theme's own lunr.fr. */
;(function (lunr) {
  var fold = function (text) {
    return text
      .replace(/œ/g, "oe").replace(/Œ/g, "OE").replace(/æ/g, "ae").replace(/Æ/g, "AE")
      .normalize("NFD").replace(/[\u0300-\u036f]/g, "")
  }
  var stem = function (word) {
    if (word.length > 4 && /eaux$/.test(word)) return word.slice(0, -1)
    if (word.length > 4 && /aux$/.test(word)) return word.slice(0, -3) + "al"
    return word.length > 3 && /[sx]$/.test(word) ? word.slice(0, -1) : word
  }
  /* Both forms are indexed: the reader types the beginning of either. */
  var folded = function (token) {
    var whole = fold(token.str)
    var root = stem(whole)
    if (whole === root) return token.update(function () { return whole })
    return [token.clone(function () { return whole }), token.clone(function () { return root })]
  }
  lunr.Pipeline.registerFunction(folded, "fold-fr")

  /* The theme's list of words to leave out holds "aura", a verb to it and a thing to a game: only these are left out. */
  var small = /^(?:[cdjlmnst]|qu|à|a|au|aux|ce|de|des|du|en|et|la|le|les|ou|par|pour|sur|un|une)\*?$/
  var without = function (token) {
    return small.test(token.str) ? undefined : token
  }
  lunr.Pipeline.registerFunction(without, "small-fr")

  var theirs = lunr.fr
  var ours = function () {
    theirs.call(this)
    this.pipeline.after(without, folded)
  }
  for (var key in theirs) ours[key] = theirs[key]
  ours.stopWordFilter = without
  lunr.fr = ours

  /* What is typed is folded the same way. Small words count only when nothing else is typed: folded, "de" would
     find every die. Every other word must be there; a whole word comes before the words that it begins. */
  var Parser = lunr.QueryParser
  lunr.QueryParser = function (text, query) {
    var words = fold(text.toLowerCase()).replace(/[a-z0-9]+(?![a-z0-9:])/g, stem).trim().split(/\s+/)
    var rest = words.filter(function (word) { return !small.test(word) })
    if (!rest.length) rest = words
    var needed = rest.length > 1 ? "+" : ""
    rest = rest.map(function (word) {
      return /^[a-z0-9]+\*$/.test(word) ? word.slice(0, -1) + "^10 " + needed + word : word
    })
    return new Parser(rest.join(" "), query)
  }
  lunr.QueryParser.prototype = Parser.prototype
  for (var name in Parser) lunr.QueryParser[name] = Parser[name]
})(lunr);
