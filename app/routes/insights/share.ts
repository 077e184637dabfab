/** The files of an insight, most requested first: extension, name, and purpose. */
export const sharedFiles = [
  ['svg', 'Drawing (SVG)', 'Sharp at any size. Add ?theme=dark for dark pages.'],
  ['png', 'Picture (PNG)', 'For slides and messages. Add ?scale=3 for print.'],
  ['csv', 'Rows (CSV)', 'For spreadsheets.'],
  ['json', 'Rows (JSON)', 'For programs, with what each column is.'],
  ['metadata.json', 'About it (JSON)', 'Question, sources, units and the chart as Vega-Lite.'],
  ['oembed.json', 'oEmbed', 'For sites that turn an address into a figure by themselves.'],
] as const
