import { makeClient, type ClientServices } from './client.ts'
import table from './meta.json'
import type { V1 } from '#functions/v1/index.ts'

export { ApiError } from './error.ts'

/** The whole API as typed functions: `api().place.source.find({ placeId: 'oakton', options: { limit: 5 } })`. */
export const api = (ports: ClientServices = {}) => makeClient<V1>(table, ports)
