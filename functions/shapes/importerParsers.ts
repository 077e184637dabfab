import * as v from 'valibot'

/** How far values are made out of text: by value, with keys in camelCase, with geometry from columns. */
export const autoFormats = ['simple', 'aggressive', 'extreme'] as const

const SelectorShape = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(500))

const optionTable = {
  autoFormat: {
    type: 'choice',
    values: autoFormats,
    notes: 'Makes numbers, dates and the like out of text; further levels change keys and find geometry.',
    shape: v.picklist(autoFormats, 'Invalid autoFormat option'),
  },
  zip: { type: 'flag', notes: 'The file is a zip archive of such files.', shape: v.boolean() },
  strict: { type: 'flag', notes: 'Stops at what is not well-formed.', shape: v.boolean() },
  selector: {
    type: 'selector',
    notes:
      'Where the rows are: a path such as "data.*", or several; the sheets of a workbook, the tables of a timetable.',
    shape: v.union([SelectorShape, v.pipe(v.array(SelectorShape), v.minLength(1), v.maxLength(20))]),
  },
} as const
export type ParserOption = keyof typeof optionTable

export interface Parser {
  label: string
  notes: string
  options: readonly ParserOption[]
  /** Options without which it cannot read. */
  required?: readonly ParserOption[]
  /** Whether rows are features: an object of GeoJSON each. */
  features?: boolean
}

const geo = { options: ['autoFormat'], features: true } as const

/** Every format that can be read. What validates and what the catalogue lists are both made of this. */
export const parsers = {
  csv: {
    label: 'CSV',
    notes:
      'One header row; where comments (lines starting with #) stand before it, all such lines are left out.',
    options: ['autoFormat', 'zip'],
  },
  tsv: { label: 'TSV', notes: 'As CSV, separated by tabs.', options: ['autoFormat', 'zip'] },
  excel: {
    label: 'Excel',
    notes: 'Workbooks of type .xlsx; the first row with text heads each sheet.',
    options: ['autoFormat', 'zip', 'selector'],
  },
  json: {
    label: 'JSON',
    notes: 'Rows are found by a selector.',
    options: ['autoFormat', 'zip', 'selector'],
    required: ['selector'],
  },
  ndjson: { label: 'NDJSON', notes: 'One object of JSON a line.', options: ['autoFormat', 'zip'] },
  xml: {
    label: 'XML',
    notes: 'Attributes stand under "$", text under "_".',
    options: ['autoFormat', 'zip', 'selector', 'strict'],
  },
  html: {
    label: 'HTML',
    notes: 'As XML, read as loosely as browsers do.',
    options: ['autoFormat', 'zip', 'selector', 'strict'],
  },
  geojson: { label: 'GeoJSON', notes: 'Each feature is a row.', ...geo },
  kml: { label: 'KML', notes: 'Each placemark is a row.', ...geo },
  kmz: { label: 'KMZ', notes: 'Zipped KML.', ...geo },
  gpx: { label: 'GPX', notes: 'A file is one row, a line.', ...geo },
  shp: { label: 'Shapefile', notes: 'Zipped; put into longitude and latitude by its .prj.', ...geo },
  gtfs: {
    label: 'GTFS',
    notes: 'A timetable; rows are { type, data }. A selector chooses types, such as stop.',
    options: ['autoFormat', 'selector'],
  },
  gtfsrt: { label: 'GTFS Realtime', notes: 'Each entity of the feed is a row.', options: ['autoFormat'] },
} as const satisfies Record<string, Parser>
export type ParserName = keyof typeof parsers

/** What other importers can and ours do not, with the reason. */
export const unsupported = {
  gdb: 'File geodatabases cannot be read here: export a Shapefile, GeoJSON or CSV instead.',
  code: 'Code transforms are not offered: nothing that a place writes is run as a program here. Mapping objects do the same without code.',
  setup:
    'Code that runs before a source is not offered: nothing that a place writes is run as a program here. Use headers, query or oauth.',
  xls: 'Legacy XLS files are not supported, use an XLSX file instead!',
} as const

/** Says that a value is no object in words of its own; of a key in it what is always said. */
export const noObject =
  (words: string) =>
  ({ path, message }: { path?: unknown; message: string }) =>
    path ? message : words

/** The shape of a parser's options: only its own, and those it cannot do without. */
export function parserOptionsOf(name: ParserName) {
  const { options, required = [] }: Parser = parsers[name]
  const shape = v.strictObject(
    Object.fromEntries(
      options.map((option): [string, v.GenericSchema] => [
        option,
        required.includes(option) ? optionTable[option].shape : v.optional(optionTable[option].shape),
      ]),
    ),
    noObject('Invalid source parserOptions'),
  )
  return required.length ? shape : v.optional(shape)
}

/** The parsers as a catalogue lists them. */
export function parserCatalogue() {
  return Object.entries(parsers).map(([name, parser]) => {
    const { label, notes, options, required = [], features = false }: Parser = parser
    return {
      name,
      label,
      notes,
      features,
      selectors: options.includes('selector'),
      options: options.map((option) => {
        const { type, notes: about, ...rest } = optionTable[option]
        const values = 'values' in rest ? [...rest.values] : undefined
        return {
          name: option,
          type,
          notes: about,
          required: required.includes(option),
          ...(values && { values }),
        }
      }),
    }
  })
}
