/** What the tools of a live figure say in one language. They are loaded when a reader asks for them, and so are their words. */
export interface FigureWords {
  tools: string
  from: string
  to: string
  /** Both as numbers written for the reader. */
  seriesOf: (part: string, all: string) => string
  all: string
  highlight: string
  none: string
  showAll: string
  /** How the values of a chart are reached by keyboard. */
  keys: string
  /** What the picture, the table and the files show of the answer. */
  range: (from: string, to: string) => string
  only: (names: string) => string
  /** Of which moment or span of time a map is. */
  moment: (time: string) => string
  /** Regions of a map that are not in what is shown, or have no value. */
  notShown: string
  /** That it is not what the text is of. */
  isPart: string
  /** What the address asks for and the data do not have. */
  unknown: (keys: string) => string
  /** That the page has no figure (any more) that the address names. */
  noFigure: string
  /** Above the table: how many rows of the answer it has, both written for the reader. */
  rows: (part: string, all: string) => string
  csv: (rows: string) => string
  svg: string
  png: string
  notMade: string
  share: string
  link: string
  embed: string
  cite: string
  /** As it stands in a list of sources. */
  citation: (what: string, address: string, date: string) => string
  copy: string
  copied: string
}
