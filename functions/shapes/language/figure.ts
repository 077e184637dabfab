/**
 * The texts of the tools of a live figure in one language. They are loaded together with the tools, when a
 * reader opens them.
 */
export interface FigureTexts {
  tools: string
  from: string
  to: string
  /** Both are formatted numbers. */
  seriesCount: (part: string, all: string) => string
  all: string
  highlight: string
  none: string
  showAll: string
  /** Explains how to reach the values of a chart by keyboard. */
  keys: string
  /** The range that the picture, the table and the files show. */
  range: (from: string, to: string) => string
  only: (names: string) => string
  /** The moment or period that a map shows. */
  moment: (time: string) => string
  /** The legend entry of regions that are filtered out or have no value. */
  notShown: string
  /** Says that the text describes the whole answer, not this part. */
  isPart: string
  /** Keys of the address that the data do not have. */
  unknown: (keys: string) => string
  /** The page does not have (any more) the figure of the address. */
  noFigure: string
  /** Above the table: how many of all rows it has, both formatted. */
  rows: (part: string, all: string) => string
  csv: (rows: string) => string
  svg: string
  png: string
  notMade: string
  share: string
  link: string
  embed: string
  cite: string
  /** An entry for a list of references. */
  citation: (what: string, address: string, date: string) => string
  copy: string
  copied: string
}
