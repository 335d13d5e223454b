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

  var theirs = lunr.fr
  var ours = function () {
    theirs.call(this)
    this.pipeline.after(theirs.stopWordFilter, folded)
  }
  for (var key in theirs) ours[key] = theirs[key]
  lunr.fr = ours

  /* What is typed is folded the same way; an elided article before the cursor is no word. */
  var Parser = lunr.QueryParser
  lunr.QueryParser = function (text, query) {
    text = fold(text.toLowerCase()).replace(/[a-z0-9]+(?![a-z0-9:])/g, stem)
    var rest = text.replace(/(^|\s)(?:[cdjlmnst]|qu)\*(?=\s)/g, "$1").trim()
    return new Parser(rest || text, query)
  }
  lunr.QueryParser.prototype = Parser.prototype
  for (var name in Parser) lunr.QueryParser[name] = Parser[name]
})(lunr);
