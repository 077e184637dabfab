import { reads, writes } from './crud.ts'
import * as dataTypes from '#functions/domain/dataTypes.ts'
import { DataTypeChanges, DataTypeOptions, DataTypeRow, NewDataType } from '#functions/shapes/dataType.ts'

/** What records can be: fields with types, units and rules. Shared by all places; changed by the one that owns it. */
export const dataType = {
  ...reads('dataType.read', DataTypeOptions, dataTypes, DataTypeRow),
  ...writes(
    { create: 'dataType.create', update: 'dataType.update', delete: 'dataType.delete' },
    { create: NewDataType, update: DataTypeChanges },
    dataTypes,
    DataTypeRow,
  ),
}
