import { endpoint } from '#functions/api/endpoint.ts'
import * as identities from '#functions/domain/identity/sso/identities.ts'
import * as signIn from '#functions/domain/identity/sso/sign-in.ts'
import { Address, Done } from '#functions/shapes/auth.ts'
import { Deleted } from '#functions/shapes/returns.ts'
import {
  FinishedSso,
  FinishSso,
  SsoMatches,
  SsoIdentities,
  StartedSso,
  StartSso,
  WaitingLink,
} from '#functions/shapes/sso.ts'

/** Single sign-on with the OpenID provider of a place, and the providers linked to an account. */
export const sso = {
  byEmail: endpoint({
    allow: 'auth.use',
    data: Address,
    returns: SsoMatches,
    summary: 'The places whose provider signs in an address, by its mail domain',
    run: signIn.find,
  }),
  start: endpoint({
    allow: 'auth.use',
    data: StartSso,
    returns: StartedSso,
    summary: 'Begin to sign in by the provider of a place: where the browser goes on to',
    run: signIn.start,
  }),
  finish: endpoint({
    allow: 'auth.use',
    data: FinishSso,
    returns: FinishedSso,
    summary:
      'End a sign-in with what the provider sent the browser back with; the session opens that place only',
    run: signIn.finish,
  }),
  waiting: endpoint({
    allow: 'auth.use',
    http: { method: 'get' },
    returns: WaitingLink,
    summary: 'What waits in this browser to be connected with an account',
    run: identities.readWaitingLink,
  }),
  link: endpoint({
    allow: 'auth.manage',
    stepUp: true,
    returns: Done,
    summary: 'Connect it with the account one is signed in to',
    run: identities.link,
  }),
  find: endpoint({
    allow: 'auth.manage',
    returns: SsoIdentities,
    summary: 'The providers that the own account is connected with',
    run: identities.find,
  }),
  deleteById: endpoint({
    allow: 'auth.manage',
    stepUp: true,
    returns: Deleted,
    summary: 'Disconnect one of them; its sessions end',
    run: identities.deleteById,
  }),
}
