import type { Examples } from './example.ts'

/** The API about itself. Its answers are too long to be an example. */
export const description: Examples = {
  swagger: {},
  'openapi.json': {},
  'place.swagger': { params: { placeId: 'oakton' } },
}
