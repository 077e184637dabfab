import { reads } from './crud.ts'
import * as boundaries from '#functions/domain/boundary/boundaries.ts'
import { BoundaryOptions, BoundaryRow } from '#functions/shapes/boundary.ts'

/** Countries, states and counties. Their areas come only when asked for. */
export const boundary = reads('boundary.read', BoundaryOptions, boundaries, BoundaryRow)
