// Package book fills the generated parts of the chapters and checks all pages
// (Check): that nothing in them is stale, dead, ahead of the other language or
// gives an answer away.
//
// # The form of a page
//
// The pages are docs/en/*.md and docs/zh/*.md under the same names, the README
// files (those of the stages, too), and docs/workshop/en/*.md with docs/workshop/zh/*.md. The chapter of
// stage 3 is 3-….md. A heading has the number of its section, the same in both
// languages; links name it by an anchor before it, since the words differ:
//
//	<a id="s3-2"></a>
//	## 3.2 Refuse a stale update
//
// Blocks are filled by Fill; what is written between their two lines is replaced:
//
//	<!-- code: stage3-storage/storage/store.go#Store.Update -->  an excerpt; the address is one of package tree's
//	<!-- /code -->
//	<!-- see: stage3#create get -->                              what these commands of the transcript print; stage3#server is the server's own log
//	<!-- /see -->
//	<!-- ex: 3.2 -->                                             the box of an exercise; the paragraph after it is the task
//	<!-- /ex -->
//	<!-- gen: errata -->                                         a table
//	<!-- /gen -->
//
// The tables are: stages, paragraphs; exercises, path, mapping, simplified and differs, each
// of all stages or of the one whose number follows; errata and since; glossary;
// bench, of one group of rows; plan with the name of a run sheet.
//
// The answer to a question of the quiz lies in <details>, with the test that
// proves it: <!-- proof: stage3-storage TestX -->.
//
// # The tables behind them
//
// All are in docs/data, in the form of package tsv:
//
//	paragraphs.tsv id stages en zh                                     the article's paragraphs in a line each, and the stages about them
//	path.tsv      stage article at en zh                               the reading path, in its order; at is an address
//	errata.tsv    id article kind words says.en says.zh ask.en ask.zh truth.en truth.zh at proof
//	              kind is not-so (in 1.7) or since (changed since then); words are the article's few words at issue;
//	              ask is a question to guess at; proof is a stage and a test, such as "stage3-storage TestErratumE8", or a link
//	glossary.tsv  key en zh avoid.en avoid.zh ours upstream says.en says.zh     words to avoid are between semicolons
//	upstream.tsv  which base                                           the rows 1.7 and now: what to put before an upstream file to get a link
//
// The run sheets of the workshop are in docs/workshop/plan.tsv:
//
//	plan.tsv      format kind id minutes section en zh     a row of kind format begins one; id is that of an exercise
//
// # The two languages
//
// Corresponding sections have the same code, blocks, images, links, rows of
// tables and names in backquotes; lines in a fence of the language text, and
// labels in one of the language mermaid, may differ. docs/i18n.lock has a hash of
// each section in each language, without blocks:
//
//	3-storage 3.2 en:1f0c8a22 zh:9ab27d01
//
// A section that has changed in one language only fails the check until somebody
// has looked at both and accepted it (Accept).
package book
