// @ts-check
// A script that fails says why, and nothing else: Node would print the line of Pyodide's source that
// threw, which is a megabyte long.
process.on('uncaughtException', error => {
  console.error(error.message);
  process.exit(1);
});
