import { reads } from './crud.ts'
import * as boundaries from '#functions/domain/boundary/boundaries.ts'
import { BoundaryOptions, BoundaryRow } from '#functions/shapes/boundary.ts'

/** Countries, states and counties. Their areas are included only on request. */
export const boundary = reads('boundary.read', BoundaryOptions, boundaries, BoundaryRow)
