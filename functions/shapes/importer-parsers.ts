import * as v from 'valibot'
import { parsers, type ParserName } from './parser/index.ts'
import { autoFormats, leftOutKinds, type Parser, type ParserOption } from './parser/parser.ts'

const SelectorShape = v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(500))

const RowNumber = v.pipe(
  v.number('Must be the number of a row.'),
  v.integer('Must be the number of a row.'),
  v.minValue(1, 'Rows are counted from 1.'),
  v.maxValue(1000, 'A header may begin in the first 1,000 rows.'),
)
const HeaderRowsShape = v.pipe(
  v.tuple([RowNumber, RowNumber], 'Must be the first and the last row of the header.'),
  v.check(([first, last]) => first <= last && last - first < 5, 'A header has between 1 and 5 rows.'),
)

const LabelShape = v.pipe(v.string(), v.maxLength(200))

const optionTable = {
  autoFormat: {
    type: 'choice',
    values: autoFormats,
    notes: 'Makes numbers, dates and the like out of text; further levels change keys and find geometry.',
    shape: v.picklist(autoFormats, 'Invalid autoFormat option'),
  },
  zip: { type: 'flag', notes: 'The file is a zip archive of such files.', shape: v.boolean() },
  file: {
    type: 'text',
    notes:
      'The only file of such an archive to read, by its name there; without it all files of the format are read, one after another.',
    shape: v.pipe(v.string(), v.minLength(1, 'Must not be empty.'), v.maxLength(200)),
  },
  strict: { type: 'flag', notes: 'Stops at what is not well-formed.', shape: v.boolean() },
  selector: {
    type: 'selector',
    notes:
      'Where the rows are: a path such as "data.*" (or "$.data[*]"), or several; the sheets of a workbook, or a part of one such as "Data!A3:F"; the layers of a GeoPackage, the tables of a timetable.',
    shape: v.union([SelectorShape, v.pipe(v.array(SelectorShape), v.minLength(1), v.maxLength(20))]),
  },
  headerRows: {
    type: 'rows',
    notes:
      'The first and the last row of the header, counted in the file from 1, such as [4, 5]: rows above are left out, several become one name a column.',
    shape: HeaderRowsShape,
  },
  leaveOut: {
    type: 'choices',
    values: leftOutKinds,
    notes:
      'Rows that are no records: notes and sources below a table, totals and subtotals. A run says how many were left out, and which.',
    shape: v.pipe(v.array(v.picklist(leftOutKinds)), v.minLength(1), v.maxLength(leftOutKinds.length)),
  },
  takeIn: {
    type: 'texts',
    notes: 'What stands first in rows that leaveOut would leave out and that are records all the same.',
    shape: v.pipe(v.array(LabelShape), v.minLength(1), v.maxLength(100)),
  },
} as const satisfies Record<ParserOption, object>

/** Formats of other importers that are not supported, with the reason. */
export const unsupportedEndings = {
  gdb: 'File geodatabases cannot be read here: export a Shapefile, GeoJSON or CSV instead.',
  code: 'Code transforms are not offered: nothing that a place writes is run as a program here. Mapping objects do the same without code.',
  setup:
    'Code that runs before a source is not offered: nothing that a place writes is run as a program here. Use headers, query or oauth.',
  xls: 'Legacy XLS files are not supported, use an XLSX file instead! To make one, open it in Excel or LibreOffice, choose “Save as” and there the type “Excel Workbook (.xlsx)”.',
} as const

/** Messages for a value that is no object; unknown keys have the usual message. */
export const createObjectMessage =
  (words: string) =>
  ({ path, message }: { path?: unknown; message: string }) =>
    path ? message : words

/** The schema of a parser's options: only its own, with required ones. */
export function buildParserOptionsShape(name: ParserName) {
  const { options, required = [] }: Parser = parsers[name]
  const shape = v.strictObject(
    Object.fromEntries(
      options.map((option): [string, v.GenericSchema] => [
        option,
        required.includes(option) ? optionTable[option].shape : v.optional(optionTable[option].shape),
      ]),
    ),
    createObjectMessage('Invalid source parserOptions'),
  )
  return required.length ? shape : v.optional(shape)
}

/** The parsers for the catalogue. */
export function parserCatalogue() {
  return Object.entries(parsers).map(([name, parser]) => {
    const { label, notes, options, required = [], features = false, mostBytes }: Parser = parser
    return {
      name,
      label,
      notes,
      features,
      mostBytes,
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
