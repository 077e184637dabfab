import { reads } from '../crud.ts'
import * as dataTypes from '#functions/domain/dataTypes.ts'
import { DataTypeOptions } from '#functions/shapes/dataType.ts'

/** The data types a place has sources of. */
export const dataType = {
  ...reads('dataType.read', DataTypeOptions, dataTypes),
}
