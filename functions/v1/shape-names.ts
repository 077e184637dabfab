import type { GenericSchema } from 'valibot'
import * as answer from '#functions/shapes/answer.ts'
import * as auth from '#functions/shapes/auth.ts'
import * as boundary from '#functions/shapes/boundary.ts'
import * as collection from '#functions/shapes/collection.ts'
import * as content from '#functions/shapes/content.ts'
import * as dataType from '#functions/shapes/dataType.ts'
import * as datum from '#functions/shapes/datum.ts'
import * as fieldRow from '#functions/shapes/fieldRow.ts'
import * as insight from '#functions/shapes/insight.ts'
import * as page from '#functions/shapes/page.ts'
import * as place from '#functions/shapes/place.ts'
import * as related from '#functions/shapes/related.ts'
import * as returns from '#functions/shapes/returns.ts'
import * as source from '#functions/shapes/source.ts'
import * as user from '#functions/shapes/user.ts'

const rooms = [
  answer,
  auth,
  boundary,
  collection,
  content,
  dataType,
  datum,
  fieldRow,
  insight,
  page,
  place,
  related,
  returns,
  source,
  user,
]

/** The shapes that the reference knows by a name: what the rooms of shapes export, under that name. */
export const names: Record<string, GenericSchema> = Object.fromEntries(
  rooms.flatMap((room) =>
    Object.entries(room).filter((entry): entry is [string, GenericSchema] => isShape(entry[1])),
  ),
)

function isShape(value: unknown): value is GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
