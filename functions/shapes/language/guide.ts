/** What one does in a tool: `steps` in order, with the text to be pasted after them, and how the copy stays current. */
export interface ToolGuide {
  steps: string[]
  refresh: string
}

/**
 * The page that says how to use a source in programs and tools. Names of menus are those of the tools' English versions, and stand
 * between quotation marks.
 */
export interface GuideWords {
  /** The heading; `{name}` is the source. */
  title: string
  intro: string
  /** Said once of all guides. */
  menus: string
  programs: string
  /** Of an example: what it does. */
  programsText: string
  curl: string
  r: string
  python: string
  console: string
  consoleText: string
  limit: string
  search: string
  run: string
  /** What came back: `{status}`, `{rows}` and `{total}` formatted, `{ms}` milliseconds. */
  answer: string
  refused: string
  unreachable: string
  tools: string
  excel: ToolGuide
  sheets: ToolGuide
  powerbi: ToolGuide
  tableau: ToolGuide
  arcgis: ToolGuide
  qgis: ToolGuide
  /** The same for sources whose records have no place on a map. */
  arcgisTable: ToolGuide
  qgisTable: ToolGuide
  formats: string
  formatsText: string
  /** The link to the reference of the API. */
  reference: string
}
