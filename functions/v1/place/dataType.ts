import { reads } from '../crud.ts'
import { dataset } from '../dataset.ts'
import * as dataTypes from '#functions/domain/dataTypes.ts'
import { DataTypeOptions } from '#functions/shapes/dataType.ts'

/** The data types a place has sources of, with the questions one can ask of the records of all of them. */
export const dataType = {
  ...dataset('place.dataType'),
  ...reads('dataType.read', DataTypeOptions, dataTypes),
}
