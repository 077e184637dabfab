import * as v from 'valibot'
import { listOptions } from './options.ts'
import { GeoJson } from './returns.ts'

export const BoundaryOptions = listOptions({
  id: 'text',
  code: 'text',
  name: 'text',
  type: 'text',
  parentId: 'text',
})

/** A boundary. `area` only with `includes=area`. */
export const BoundaryRow = v.strictObject({
  id: v.string(),
  code: v.string(),
  name: v.string(),
  type: v.picklist(['country', 'state', 'county']),
  parentId: v.nullable(v.string()),
  hasAllStatesBoundary: v.boolean(),
  area: v.optional(v.nullable(v.partial(GeoJson))),
})
