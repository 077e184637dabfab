import { licenceUrl } from '#functions/shapes/licences.ts'
import type { DatasetFacts } from './facts.ts'
import type { TableField } from '#functions/shapes/data-package.ts'

/** The types of a Table Schema, as CSV on the Web names them. */
const datatypes: Record<string, string> = {
  number: 'number',
  boolean: 'boolean',
  datetime: 'datetime',
  object: 'json',
}

/** The constraints of a Table Schema that a type of CSV on the Web can have; `pattern` is a `format` there. */
const facets = ['minimum', 'maximum', 'minLength', 'maxLength'] as const

/** The metadata of a source's CSV, column by column (CSV on the Web, https://www.w3.org/TR/tabular-metadata/). */
export function csvMetadata(dataset: DatasetFacts, fields: TableField[]): string {
  const { title, description, url, licence, updatedAt } = dataset
  const license = licenceUrl(licence, dataset.licenceUrl)
  const csv = dataset.files.find(({ extension }) => extension === 'csv')
  const metadata = {
    '@context': 'http://www.w3.org/ns/csvw',
    url: csv?.url ?? '',
    'dc:title': title,
    ...(description && { 'dc:description': description }),
    ...(dataset.keywords.length > 0 && { 'dcat:keyword': dataset.keywords }),
    ...(dataset.publisher && { 'dc:publisher': dataset.publisher }),
    'dc:modified': { '@value': updatedAt, '@type': 'xsd:dateTime' },
    ...(license && { 'dc:license': { '@id': license } }),
    'dcat:landingPage': { '@id': url },
    dialect: { header: true, encoding: 'utf-8', lineTerminators: ['\r\n', '\n'] },
    tableSchema: { columns: fields.map(buildColumn) },
  }
  return `${JSON.stringify(metadata, null, 1)}\n`
}

function buildColumn({
  name,
  title,
  description,
  type,
  format,
  itemType,
  unit,
  delimiter,
  enumLabels = {},
  missingValues,
  constraints = {},
}: TableField) {
  const base =
    datatypes[type === 'list' ? (itemType ?? '') : type] ?? (format === 'uri' ? 'anyURI' : 'string')
  const parts = facets.flatMap((facet) => {
    const value = constraints[facet]
    // For lists they count items, which CSV on the Web cannot express.
    return value === undefined || type === 'list' ? [] : [[facet, value] as const]
  })
  const labels = Object.entries(enumLabels)
  return {
    // A name may have letters, digits and the marks of an address; the title is what heads the column.
    name: name.replace(/[^A-Za-z0-9._]/g, (mark) => encodeURIComponent(mark)),
    titles: [...new Set([name, title])],
    ...(description && { 'dc:description': description }),
    datatype: parts.length === 0 ? base : { base, ...Object.fromEntries(parts) },
    ...(delimiter && { separator: delimiter }),
    ...(constraints.required === true && { required: true }),
    ...(missingValues && { null: missingValues }),
    ...(unit && { 'schema:unitText': unit }),
    ...(labels.length > 0 && {
      'schema:valueReference': labels.map(([value, label]) => ({
        '@type': 'schema:PropertyValue',
        'schema:value': value,
        'schema:name': label,
      })),
    }),
  }
}

/** The Table Schema of the CSV's columns (Frictionless Data). */
export function tableSchemaText(fields: TableField[]): string {
  return `${JSON.stringify({ fields, missingValues: [''] }, null, 1)}\n`
}
