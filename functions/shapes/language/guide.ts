/**
 * Instructions for a tool: `steps` in order, followed by the text to paste, and how the copy is refreshed.
 */
export interface ToolGuide {
  steps: string[]
  refresh: string
}

/**
 * The page about using a source in programs and tools. Names of menus are those of the English versions of
 * the tools, in quotation marks.
 */
export interface GuideTexts {
  /** The heading; `{name}` is the name of the source. */
  title: string
  intro: string
  /** A note for all guides, shown once. */
  menus: string
  programs: string
  /** What the examples do. */
  programsText: string
  curl: string
  r: string
  python: string
  console: string
  consoleText: string
  limit: string
  search: string
  run: string
  /** The response: `{status}`, `{rows}` and `{total}` formatted, `{ms}` milliseconds. */
  answer: string
  failedAnswer: string
  unreachable: string
  tools: string
  excel: ToolGuide
  sheets: ToolGuide
  powerbi: ToolGuide
  tableau: ToolGuide
  arcgis: ToolGuide
  qgis: ToolGuide
  /** The same for sources whose records have no geometry. */
  arcgisTable: ToolGuide
  qgisTable: ToolGuide
  formats: string
  formatsText: string
  /** The link to the reference of the API. */
  reference: string
}
