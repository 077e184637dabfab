import { exportFiles, exportFormats, type ExportFormat } from '#functions/shapes/export-format.ts'
import { preparedFormats } from '#functions/engine/export/prepared/manifest.ts'

/** A public source as programs reach it. */
export interface GuideSource {
  /** Where `/v1` is, with scheme and port. */
  origin: string
  placeId: string
  sourceId: string
  /** Whether its records have a place on a map. */
  hasShapes: boolean
}

/** The programs and tools that there are examples for, in the order they are shown. */
export const programs = ['curl', 'python', 'r', 'javascript'] as const
export type Program = (typeof programs)[number]
export const tools = ['excel', 'sheets', 'powerbi', 'tableau', 'arcgis', 'qgis'] as const
export type GuideTool = (typeof tools)[number]

/** Formats that only records with a place on a map have. */
const shapeFormats: ReadonlySet<ExportFormat> = new Set(['geojson', 'geojsonl', 'kml', 'kmz', 'shp', 'gpx'])
const prepared: ReadonlySet<string> = new Set(preparedFormats)

/** The address of a source's records, a page at a time as JSON. */
export const recordsAddress = ({ origin, placeId, sourceId }: GuideSource): string =>
  `${origin}/v1/places/${encodeURIComponent(placeId)}/sources/${encodeURIComponent(sourceId)}/data`

/** The URL of a file with all records of a source: a prepared one if there is one, or else one generated on request. */
export function fileAddress(source: GuideSource, format: ExportFormat): string {
  const { extension } = exportFiles[format]
  const ending = prepared.has(format) ? `.${extension}` : `?format=${format}`
  return recordsAddress(source).replace(/data$/, `export${ending}`)
}

/** Every format that the records can be had in, in the order they are offered. */
export const fileFormats = ({ hasShapes }: Pick<GuideSource, 'hasShapes'>): ExportFormat[] =>
  exportFormats.filter((format) => hasShapes || !shapeFormats.has(format))

/** Code for a program that reads all records and prints their number. */
export function programExample(program: Program, source: GuideSource): string {
  const csv = fileAddress(source, 'csv')
  return {
    curl: `curl -o '${source.sourceId}.csv' '${csv}'`,
    python: [
      'import csv, io, urllib.request',
      '',
      `with urllib.request.urlopen("${csv}") as answer:`,
      '    rows = list(csv.DictReader(io.TextIOWrapper(answer, "utf-8", newline="")))',
      'print(len(rows), "rows")',
    ].join('\n'),
    r: [`rows <- read.csv("${csv}", check.names = FALSE)`, 'cat(nrow(rows), "rows\\n")'].join('\n'),
    javascript: [
      `const answer = await fetch('${fileAddress(source, 'json')}')`,
      'const rows = await answer.json()',
      "console.log(rows.length, 'rows')",
    ].join('\n'),
  }[program]
}

/** Text to paste into a tool: a query, a formula, or the URL of a file. */
export function toolExample(tool: GuideTool, source: GuideSource): string {
  const csv = fileAddress(source, 'csv')
  const query = [
    'let',
    `  File = Csv.Document(Web.Contents("${csv}"), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),`,
    '  Records = Table.PromoteHeaders(File, [PromoteAllScalars = true])',
    'in',
    '  Records',
  ].join('\n')
  const layer = source.hasShapes ? fileAddress(source, 'geojson') : csv
  return {
    excel: query,
    sheets: `=IMPORTDATA("${csv}")`,
    powerbi: query,
    tableau: layer,
    arcgis: layer,
    qgis: layer,
  }[tool]
}
