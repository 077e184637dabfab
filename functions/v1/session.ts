import { endpoint } from '#functions/api/endpoint.ts'
import * as sessions from '#functions/domain/identity/sessions.ts'
import { Counted, Deleted } from '#functions/shapes/returns.ts'
import { SessionOptions, Sessions } from '#functions/shapes/session.ts'

/** The sessions of a person. */
export const session = {
  find: endpoint({
    allow: 'session.read',
    options: SessionOptions,
    returns: Sessions,
    summary: 'The own sessions',
    run: sessions.find,
  }),
  deleteById: endpoint({
    allow: 'session.delete',
    returns: Deleted,
    summary: 'End one of the own sessions',
    run: sessions.deleteById,
  }),
  purge: endpoint({
    allow: 'session.delete',
    returns: Counted,
    summary: 'End every own session but this one',
    run: sessions.purge,
  }),
}
