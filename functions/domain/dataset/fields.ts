import { sql } from 'kysely'
import type { QueryField } from '#functions/engine/query/index.ts'
import { pickFieldKnowledge, type Field, type FieldKnowledge } from '#functions/shapes/field.ts'
import type { FieldProfile, ReadAsEmpty } from '#functions/shapes/field-profile.ts'
import type { Column } from '../records/columns.ts'
import type { ColumnRead } from '../records/read.ts'

/** The fields that every record has beside its data. */
function common(table: string): QueryField[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return [
    { path: 'id', name: 'Id', type: 'text', sql: sql`${column('id')}::text` },
    { path: 'createdAt', name: 'Created At', type: 'date', sql: column('created_at') },
    { path: 'updatedAt', name: 'Updated At', type: 'date', sql: column('updated_at') },
    { path: 'sourceId', name: 'Source', type: 'text', sql: column('source_id') },
    { path: 'externalId', name: 'External Id', type: 'text', sql: column('external_id') },
    { path: 'geometry', name: 'Geometry', type: 'geometry', sql: column('geometry') },
  ]
}

/**
 * The fields a query may use: those of the schema as `data.{key}`, and the common ones. Texts are searched
 * where the field says so. `table`: the alias of the records' table in the statement.
 */
export function queryFields(readings: (ColumnRead & Pick<Column, 'field'>)[], table = 't'): QueryField[] {
  return [
    ...common(table),
    ...readings.map(({ key, field, value }): QueryField => ({
      ...describe(field),
      path: `data.${key}`,
      sql: value,
      searchable: field.type === 'text' && field.search === true,
    })),
  ]
}

function describe(field: Field) {
  const { name, type, notes, items, schema, measurement, precision, validation } = field
  return {
    name,
    type,
    notes,
    items,
    schema,
    measurement,
    precision,
    validation,
    ...pickFieldKnowledge(field),
  }
}

/** A field as the API lists it. */
export interface FieldEntry extends FieldKnowledge {
  field: string
  name: string
  type: QueryField['type']
  items?: Field
  measurement?: Field['measurement']
  precision?: Field['precision']
  notes?: string
  validation?: Field['validation']
  /** The date by which records are ordered. */
  primary?: true
  /** Only of fields of the schema, and where profiles were requested; null without one. */
  profile?: FieldProfile | null
  readAsEmpty?: ReadAsEmpty | null
}

/** Fields as entries of a list; properties that a field does not have are left out. */
export function fieldEntries(fields: QueryField[], primaryDate: string | null): FieldEntry[] {
  return fields.map((field) => {
    const { path, name, type, items, measurement, precision, notes, validation } = field
    const parts = {
      items,
      measurement,
      precision,
      notes,
      validation,
      ...pickFieldKnowledge(field),
      primary: path === `data.${primaryDate}` || undefined,
    }
    const entries = Object.entries(parts).filter(([, part]) => part !== undefined && part !== '')
    return { field: path, name, type, ...Object.fromEntries(entries) }
  })
}
