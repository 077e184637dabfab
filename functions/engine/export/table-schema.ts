import { parseContact } from '#functions/shapes/metadata.ts'
import { findLicence } from '#functions/shapes/licences.ts'
import { isShape, type FileAbout, type FileColumn } from './file.ts'
import type { DataPackage, TableField } from '#functions/shapes/data-package.ts'
import { isCalendarDate, numberMeasurements, type Field, type Precision } from '#functions/shapes/field.ts'

/** The Table Schema of a CSV: types, constraints, units. A point has two more columns. */
export function tableSchema(columns: FileColumn[]): { fields: TableField[]; missingValues: string[] } {
  const fields = columns.flatMap((column) => {
    const field = toTableField(column)
    if (column.type !== 'point') return [field]
    const degrees = (side: string, size: number): TableField => ({
      name: `${column.key}.${side}`,
      title: `${column.name}: ${side}`,
      type: 'number',
      unit: '°',
      constraints: { minimum: -size, maximum: size },
    })
    return [field, degrees('longitude', 180), degrees('latitude', 90)]
  })
  return { fields, missingValues: [''] }
}

function toTableField({ key, name, type = 'any', precision, items, field }: FileColumn): TableField {
  const item = items ?? field?.items
  return {
    name: key,
    title: name,
    ...getTableType({ type, precision }, item, field),
    ...(field?.notes && { description: field.notes }),
    ...getFieldFacts(field),
    ...buildConstraints(type, field?.validation ?? {}),
  }
}

const types: Record<string, string> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  object: 'object',
}

/** A calendar date is a `date` of Table Schema; that of a month or a year is written as its first day as well. */
const typeName = (field: { type: string; precision?: Precision | undefined }) =>
  isCalendarDate(field) ? 'date' : types[field.type]

function getTableType(
  column: { type: string; precision?: Precision | undefined },
  item: (Pick<FileColumn, 'precision'> & { type: string }) | undefined,
  field: Field | undefined,
): Pick<TableField, 'type'> {
  const { type } = column
  if (isShape({ type })) return { type: 'string', format: 'wkt' } as TableField
  if (type === 'array')
    return { type: 'list', itemType: (item && typeName(item)) ?? 'string', delimiter: ', ' } as TableField
  const formats = { url: 'uri', email: 'email' }
  const format = Object.entries(formats).find(([validator]) => field?.validation?.[validator] === true)?.[1]
  return { type: typeName(column) ?? 'any', ...(type === 'text' && format && { format }) }
}

/** The descriptive members of a field: unit, codes and missing values, and whether it identifies or may be summed. */
function getFieldFacts(field: Field | undefined): Partial<TableField> {
  if (!field) return {}
  const { values = [], identifier, additive, region } = field
  const codeNames = values.flatMap(({ value, name }) => (name === undefined ? [] : [[String(value), name]]))
  const missing = values.flatMap(({ value, missing: isMissing }) => (isMissing ? [String(value)] : []))
  const unit = findFieldUnit(field)
  return {
    ...(unit !== undefined && { unit }),
    ...(codeNames.length > 0 && { enumLabels: Object.fromEntries(codeNames) as Record<string, string> }),
    ...(missing.length > 0 && { missingValues: ['', ...missing] }),
    ...(identifier && { identifier }),
    ...(additive && { additive }),
    ...(region && { region }),
  }
}

function findFieldUnit({ type, measurement, unit }: Field): string | undefined {
  if (type !== 'number') return undefined
  return measurement ? numberMeasurements[measurement.type]?.[measurement.value] : unit
}

/** Names of a field's validators in Table Schema. */
const constraintNames: Record<string, string> = {
  required: 'required',
  unique: 'unique',
  enum: 'enum',
  regex: 'pattern',
  min: 'minimum',
  max: 'maximum',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minLength',
  maxItems: 'maxLength',
}

function buildConstraints(
  type: string,
  validation: Record<string, unknown>,
): Pick<TableField, 'constraints'> {
  const parts = Object.entries(validation).flatMap(([validator, value]) => {
    const name = Object.hasOwn(constraintNames, validator) ? constraintNames[validator] : undefined
    if (name === undefined || value === undefined || value === null) return []
    // A validator's pattern may be found anywhere, a constraint's must match all of the text.
    if (validator === 'regex') return [[name, `[\\s\\S]*(?:${String(value)})[\\s\\S]*`]]
    // Of a list "unique" is about its items, of a column about its rows.
    return validator === 'unique' && type === 'array' ? [] : [[name, value]]
  })
  if (type === 'text' && validation.notEmpty === true && validation.minLength === undefined)
    parts.push(['minLength', 1])
  return parts.length === 0 ? {} : { constraints: Object.fromEntries(parts) as Record<string, unknown> }
}

/** A file of a package, with its size and hash where they are known. */
export interface Resource {
  path: string
  format: string
  mediatype: string
  bytes?: number
  /** Hex. */
  sha256?: string
}

/** The descriptor of a Data Package (Frictionless Data): its files, publisher, and licence. */
export function dataPackage(about: FileAbout, columns: FileColumn[], resources: Resource[]): DataPackage {
  const { id, title, description, attribution, attributionUrl, version, updatedAt } = about
  const license = findLicence(about.licence, about.licenceUrl)
  const contributors = getContributors(about)
  return {
    name: id,
    title,
    ...(description && { description }),
    version,
    ...(updatedAt && { created: updatedAt }),
    ...(about.keywords.length > 0 && { keywords: about.keywords }),
    ...(license && {
      licenses: [
        {
          ...(license.id && { name: license.id }),
          ...(license.title !== license.url && { title: license.title }),
          ...(license.url && { path: license.url }),
        },
      ],
    }),
    ...(contributors.length > 0 && { contributors }),
    ...(attribution && {
      sources: [{ title: attribution, ...(attributionUrl && { path: attributionUrl }) }],
    }),
    resources: resources.map(({ path, format, mediatype, bytes, sha256 }) => ({
      name: path.replace(/[^a-z0-9]+/g, '-'),
      path,
      format,
      mediatype,
      ...(format !== 'parquet' && { encoding: 'utf-8' }),
      ...(bytes !== undefined && { bytes }),
      ...(sha256 !== undefined && { hash: `sha256:${sha256}` }),
      ...(format === 'csv' && { profile: 'tabular-data-resource', schema: tableSchema(columns) }),
    })),
  }
}

/** The publisher and the contact, where stated. */
function getContributors(about: FileAbout): NonNullable<DataPackage['contributors']> {
  const { publisher, publisherUrl, contactName, contact } = about
  const address = parseContact(contact)
  return [
    ...(publisher
      ? [{ title: publisher, role: 'publisher', ...(publisherUrl && { path: publisherUrl }) }]
      : []),
    ...(address
      ? [
          {
            title: contactName ?? publisher ?? contact ?? '',
            role: 'contact',
            ...('email' in address ? { email: address.email } : { path: address.url }),
          },
        ]
      : []),
  ]
}
