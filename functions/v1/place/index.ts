import { activity } from './activity.ts'
import { collection } from './collection.ts'
import { content } from './content.ts'
import { dataType } from './dataType.ts'
import { insight } from './insight.ts'
import { page } from './page.ts'
import { source } from './source.ts'
import { user } from './user.ts'
import { reads, validate } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as places from '#functions/domain/places.ts'
import { NewPlace, PlaceChanges, PlaceOptions } from '#functions/shapes/place.ts'

/** Organisations, and everything that belongs to one. */
export const place = {
  ...reads('place.read', PlaceOptions, places),
  validate: validate('place.create', { create: NewPlace, update: PlaceChanges }, places.check),
  create: endpoint({ allow: 'place.create', data: NewPlace, run: places.create }),
  updateById: endpoint({ allow: 'place.update', data: PlaceChanges, run: places.updateById }),
  activity,
  collection,
  content,
  dataType,
  insight,
  page,
  source,
  user,
}
