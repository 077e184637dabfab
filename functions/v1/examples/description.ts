import type { Examples } from './example.ts'

/** The description of the API. Its responses are too long to show. */
export const description: Examples = {
  swagger: {},
  'openapi.json': {},
  'place.swagger': { params: { placeId: 'oakton' } },
}
