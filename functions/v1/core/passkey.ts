import { getReadOnlyMembers } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as passkeys from '#functions/domain/identity/passkeys.ts'
import {
  AddedPasskey,
  NewPasskey,
  Passkey,
  PasskeyChanges,
  PasskeyCreation,
  PasskeyRequest,
  Passkeys,
} from '#functions/shapes/passkey.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** The person's passkeys. Requires a session: an API key cannot add or remove one. */
export const passkey = {
  find: endpoint({
    allow: 'factor.manage',
    returns: Passkeys,
    summary: 'The own passkeys',
    run: passkeys.find,
  }),
  begin: endpoint({
    allow: 'factor.manage',
    stepUp: true,
    returns: PasskeyCreation,
    summary: 'Begin to add a passkey: what the browser makes it from, within five minutes',
    run: passkeys.begin,
  }),
  create: endpoint({
    allow: 'factor.manage',
    data: NewPasskey,
    returns: AddedPasskey,
    shownOnce: true,
    summary: 'Add the passkey that the browser made; the first factor brings recovery codes, shown this once',
    run: passkeys.create,
  }),
  challenge: endpoint({
    allow: 'factor.manage',
    returns: PasskeyRequest,
    summary: 'Ask for one of the own passkeys; the answer goes to `core.factor.prove`, within five minutes',
    run: passkeys.challenge,
  }),
  updateById: endpoint({
    allow: 'factor.manage',
    data: PasskeyChanges,
    readOnly: getReadOnlyMembers(Passkey, PasskeyChanges, passkeys.findOwn),
    returns: Passkey,
    summary: 'Give a passkey another name',
    run: passkeys.updateById,
  }),
  deleteById: endpoint({
    allow: 'factor.manage',
    stepUp: true,
    returns: Deleted,
    summary: 'Remove a passkey',
    run: passkeys.deleteById,
  }),
}
