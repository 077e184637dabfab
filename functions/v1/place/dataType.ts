import { reads } from '../crud.ts'
import { dataset } from '../dataset.ts'
import { isEndpoint, type Endpoint, type Input, type Tree } from '#functions/api/endpoint.ts'
import * as dataTypes from '#functions/domain/dataTypes.ts'
import { DataTypeOptions } from '#functions/shapes/dataType.ts'

/** The data types a place has sources of, with the questions one can ask of the records of all of them. */
export const dataType = {
  ...ofShown(dataset('place.dataType')),
  ...reads('dataType.read', DataTypeOptions, dataTypes),
}

/** The same endpoints, for data types that the place shows to the actor; others are not there, nor is what they look like. */
function ofShown<Branch extends Tree>(branch: Branch): Branch {
  const entries = Object.entries(branch).map(([name, node]) => [
    name,
    isEndpoint(node) ? guarded(node) : ofShown(node),
  ])
  return Object.fromEntries(entries) as Branch
}

function guarded(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    run: async (ctx, input) =>
      (await dataTypes.isShown(ctx, input as Input)) ? endpoint.run(ctx, input) : undefined,
  }
}
