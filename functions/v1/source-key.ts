import { endpoint } from '#functions/api/endpoint.ts'
import * as sourceKeys from '#functions/domain/identity/source-keys.ts'
import { KeyOptions, Keys, MadeKey, NewSourceKey } from '#functions/shapes/key.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** Keys that write the data of one source and nothing else. */
export const sourceKey = {
  find: endpoint({
    allow: 'sourceKey.read',
    options: KeyOptions,
    returns: Keys,
    summary: 'The write keys of a source',
    run: sourceKeys.find,
  }),
  create: endpoint({
    allow: 'sourceKey.create',
    data: NewSourceKey,
    returns: MadeKey,
    stepUp: true,
    shownOnce: true,
    summary: 'Make a write key for a source; it is shown this once',
    run: sourceKeys.create,
  }),
  deleteById: endpoint({
    allow: 'sourceKey.delete',
    returns: Deleted,
    summary: 'Revoke a write key of a source',
    run: sourceKeys.deleteById,
  }),
}
