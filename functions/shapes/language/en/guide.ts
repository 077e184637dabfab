import type { GuideTexts } from '../guide.ts'

export const guide: GuideTexts = {
  title: 'Use “{name}”',
  intro: 'Addresses and examples for exactly this data. No account and no key are needed.',
  menus: 'Menus are named as in the English versions of the tools.',
  programs: 'In a program',
  programsText: 'Each example fetches all records and needs nothing but the language itself.',
  curl: 'Saves all records as a CSV file.',
  python: 'With pandas installed, pandas.read_csv reads the same address.',
  r: 'Reads all records into a data frame.',
  console: 'Try it here',
  consoleText: 'Asks for the records as a program does and shows the answer as it comes.',
  limit: 'Maximum number of records',
  search: 'Records that contain',
  run: 'Send the request',
  answer: 'Answer {status}: {rows} of {total} records, after {ms} ms',
  failedAnswer: 'Answer {status}, after {ms} ms',
  unreachable: 'No answer came. Please check your connection and try again.',
  tools: 'In a tool',
  excel: {
    steps: [
      'Open “Data”, “Get Data”, “From Other Sources”, “Blank Query”, then “Advanced Editor”.',
      'Replace what is there with these lines and choose “Done”.',
      'If Excel asks how to connect, choose “Anonymous”; then “Close & Load”.',
    ],
    refresh: '“Refresh All” fetches the records again.',
  },
  sheets: {
    steps: ['Open an empty sheet.', 'Paste this formula into cell A1.'],
    refresh:
      'An open sheet fetches the file again about every hour. A spreadsheet holds at most 10 million cells.',
  },
  powerbi: {
    steps: [
      'In Power BI Desktop choose “Get data”, “Blank query”, then “Advanced editor”.',
      'Replace what is there with these lines and choose “Done”.',
      'Where it asks how to connect, choose “Anonymous”.',
    ],
    refresh: 'A scheduled refresh in the Power BI service works without a gateway.',
  },
  tableau: {
    steps: [
      'Download the file at this address.',
      'Choose “Connect”, “To a File”: “Spatial file” for GeoJSON, “Text file” for CSV.',
    ],
    refresh: 'Download the file again over the old one and refresh the extract.',
  },
  arcgis: {
    steps: [
      'In Map Viewer open “Layers”, “Add”, “Add layer from URL”.',
      'Paste this address and choose “GeoJSON” as its type.',
    ],
    refresh: 'In the properties of the layer turn on “Refresh interval”.',
  },
  arcgisTable: {
    steps: [
      'In ArcGIS Online open “Content”, “New item”, “URL”.',
      'Paste this address and choose “CSV” as its type.',
    ],
    refresh: 'A layer by its address is fetched again when the map is opened.',
  },
  qgis: {
    steps: [
      'Open “Layer”, “Add Layer”, “Add Vector Layer…” and choose “Protocol: HTTP(S), cloud, etc.”.',
      'Paste this address as “URI” and choose “Add”.',
    ],
    refresh: 'The file is read again whenever the project is opened.',
  },
  qgisTable: {
    steps: [
      'Open “Layer”, “Add Layer”, “Add Vector Layer…” and choose “Protocol: HTTP(S), cloud, etc.”.',
      'Paste this address as “URI” and choose “Add”. The records come as a table without a map.',
    ],
    refresh: 'The file is read again whenever the project is opened.',
  },
  formats: 'All formats',
  formatsText: 'Each holds all records.',
  reference: 'Full reference of the API',
}
