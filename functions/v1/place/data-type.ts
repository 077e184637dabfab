import { reads, restores } from '../crud.ts'
import { dataset } from '../dataset.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import * as usage from '#functions/domain/usage/usage.ts'
import { DataTypeOptions, DataTypeRow } from '#functions/shapes/data-type.ts'
import { DataTypeUsage } from '#functions/shapes/usage.ts'

/** The data types used in a place, with query endpoints over all of their sources. */
export const dataType = {
  usage: endpoint({
    allow: 'place.usage',
    http: { method: 'get', one: true },
    summary: 'How much is made of a data type in a place, and what was asked of it by day',
    returns: DataTypeUsage,
    run: usage.findDataTypeUsage,
  }),
  ...dataset('place.dataType'),
  ...restores('dataType.delete', dataTypes, DataTypeRow),
  ...reads('dataType.read', DataTypeOptions, dataTypes, DataTypeRow),
}
