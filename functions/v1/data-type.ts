import { reads, writes } from './crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import { changeSchema } from '#functions/domain/data-type/schema-change/change.ts'
import { DataTypeChanges, DataTypeOptions, DataTypeRow, NewDataType } from '#functions/shapes/data-type.ts'
import { SchemaChange, SchemaChangeOptions, SchemaChangeReport } from '#functions/shapes/data-type-schema.ts'

/** Schemas of records: fields with types, units and rules. Visible to all places; changed only by the owner. */
export const dataType = {
  ...reads('dataType.read', DataTypeOptions, dataTypes, DataTypeRow),
  ...writes(
    { create: 'dataType.create', update: 'dataType.update', delete: 'dataType.delete' },
    { create: NewDataType, update: DataTypeChanges },
    dataTypes,
    DataTypeRow,
    { stepUpToDelete: true },
  ),
  schema: endpoint({
    allow: 'dataType.update',
    http: { method: 'post', one: true },
    options: SchemaChangeOptions,
    data: SchemaChange,
    returns: SchemaChangeReport,
    summary: 'Change the fields of a data type and take its records along; with dryRun say what would happen',
    heavy: true,
    run: changeSchema,
  }),
}
