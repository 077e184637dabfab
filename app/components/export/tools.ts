/** A program to open data with. */
export type ToolId = 'tableau' | 'powerbi' | 'esri' | 'google_sheets'

interface Tool {
  id: ToolId
  name: string
  /** The outcome of the steps. */
  aim: string
  /** Supported formats, the best first. */
  formats: ToolFormat[]
  /** How the copy is kept current. */
  refresh: string
  limits: string
}

export interface ToolFormat {
  format: 'csv' | 'json' | 'geojson' | 'shp'
  label: string
  needsGeometry: boolean
  /** The steps. `{url}` is replaced by the URL of the file. */
  steps: string[]
  /** A text to paste into the tool. */
  snippet?: string
}

const csv = 'CSV'

/** The guides, by name. Menu names are those of the tools' English versions. */
export const tools: Record<ToolId, Tool> = {
  esri: {
    id: 'esri',
    name: 'Esri ArcGIS',
    aim: 'A layer in ArcGIS Online that asks for the data again by itself, or a feature class in ArcGIS Pro.',
    formats: [
      {
        format: 'geojson',
        label: 'GeoJSON by its address (ArcGIS Online)',
        needsGeometry: true,
        steps: [
          'In Map Viewer open Layers, then Add, then Add layer from URL.',
          'Paste the address and choose GeoJSON as its type.',
          'Add it to the map. In the properties of the layer turn on Refresh interval.',
        ],
        snippet: '{url}',
      },
      {
        format: 'shp',
        label: 'Shapefile (ArcGIS Pro)',
        needsGeometry: true,
        steps: [
          'Download the file and unpack it into a folder of your project.',
          'In the Catalog pane find the .shp file and drag it onto the map.',
          'Names of fields are cut to ten letters, as the format wants it; the GeoJSON has them whole.',
        ],
      },
      {
        format: 'csv',
        label: csv,
        needsGeometry: false,
        steps: [
          'In ArcGIS Online open Content, then New item, then URL.',
          'Paste the address and choose CSV. Points have a column for their longitude and one for their latitude.',
        ],
        snippet: '{url}',
      },
    ],
    refresh:
      'A layer by its address is asked for again at the interval you set. A downloaded file stays as it was.',
    limits:
      'Layers by address are drawn in the browser: beyond some ten thousand records import the file as a hosted layer.',
  },
  google_sheets: {
    id: 'google_sheets',
    name: 'Google Sheets',
    aim: 'A sheet that fetches the records by a formula.',
    formats: [
      {
        format: 'csv',
        label: csv,
        needsGeometry: false,
        steps: [
          'Open an empty sheet.',
          'Paste the formula into cell A1.',
          'Wait until the rows appear; headings are in row 1.',
        ],
        snippet: '=IMPORTDATA("{url}")',
      },
    ],
    refresh: 'An open sheet fetches the file again about every hour.',
    limits:
      'A spreadsheet holds at most 10 million cells, and Google refuses large files. Narrow the file with `?limit=` or filters, or keep some columns with `fields=`.',
  },
  powerbi: {
    id: 'powerbi',
    name: 'Power BI',
    aim: 'A query that Power BI Desktop and the Power BI service can both refresh.',
    formats: [
      {
        format: 'csv',
        label: csv,
        needsGeometry: false,
        steps: [
          'In Power BI Desktop choose Get data, then Blank query, then Advanced editor.',
          'Replace what is there with these lines and choose Done.',
          'Where it asks how to connect, choose Anonymous.',
        ],
        snippet: [
          'let',
          '  File = Csv.Document(Web.Contents("{url}"), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),',
          '  Records = Table.PromoteHeaders(File, [PromoteAllScalars = true])',
          'in',
          '  Records',
        ].join('\n'),
      },
      {
        format: 'json',
        label: 'JSON',
        needsGeometry: false,
        steps: ['As with CSV, with these lines. Lists and maps inside of records stay whole.'],
        snippet: [
          'let',
          '  Records = Table.FromRecords(Json.Document(Web.Contents("{url}")))',
          'in',
          '  Records',
        ].join('\n'),
      },
    ],
    refresh: 'Set a scheduled refresh in the service. The address needs no gateway.',
    limits: 'How often a refresh may run depends on your licence.',
  },
  tableau: {
    id: 'tableau',
    name: 'Tableau',
    aim: 'A data source in Tableau Desktop, with the shapes as a map where there are some.',
    formats: [
      {
        format: 'csv',
        label: csv,
        needsGeometry: false,
        steps: [
          'Download the file.',
          'In Tableau choose Connect, then To a File, then Text file, and open it.',
          'Drag the sheet onto the canvas. Times are as on the clocks of the place, with their offset from UTC.',
        ],
      },
      {
        format: 'geojson',
        label: 'GeoJSON',
        needsGeometry: true,
        steps: [
          'Download the file.',
          'Choose Connect, then To a File, then Spatial file, and open it.',
          'Drag Geometry onto the view.',
        ],
      },
      {
        format: 'shp',
        label: 'Shapefile',
        needsGeometry: true,
        steps: [
          'Download the file and unpack it.',
          'Choose Connect, then To a File, then Spatial file, and open the .shp file.',
        ],
      },
    ],
    refresh:
      'Download the file anew over the old one and refresh the extract. On a server, a scheduled flow of Tableau Prep can read the same path.',
    limits: 'Tableau reads a file whole: for millions of records narrow it first with filters.',
  },
}

/** The text with the URL filled in. */
export const withUrl = (text: string, url: string) => text.replaceAll('{url}', url)

/** The URL of a source's records as a file. `origin`: that of the product. */
export function exportUrl(origin: string, sourceId: string, format: ToolFormat['format']): string {
  return `${origin}/v1/sources/${encodeURIComponent(sourceId)}/export?format=${format}`
}
