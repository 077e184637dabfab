import { endpoint } from '#functions/api/endpoint.ts'
import * as factors from '#functions/domain/identity/factors.ts'
import { prove } from '#functions/domain/identity/second-step.ts'
import { Done } from '#functions/shapes/auth.ts'
import {
  BegunFactor,
  FactorState,
  FirstCode,
  NewFactor,
  Proof,
  RecoveryCodes,
} from '#functions/shapes/factor.ts'

/** The person's second factor. Requires a session: an API key cannot add or remove one. */
export const factor = {
  state: endpoint({
    allow: 'factor.manage',
    http: { method: 'get' },
    returns: FactorState,
    summary: 'Whether there is a second factor, and how many recovery codes are left',
    run: factors.find,
  }),
  enrol: endpoint({
    allow: 'factor.manage',
    data: NewFactor,
    returns: BegunFactor,
    shownOnce: true,
    summary: 'Begin to set up an authenticator app; what it needs is shown this once',
    run: factors.enrol,
  }),
  confirm: endpoint({
    allow: 'factor.manage',
    data: FirstCode,
    returns: Done,
    summary: 'End setting up an authenticator app, with its first code; other sessions end',
    run: factors.confirm,
  }),
  renewCodes: endpoint({
    allow: 'factor.manage',
    stepUp: true,
    returns: RecoveryCodes,
    shownOnce: true,
    summary: 'Make new recovery codes in place of those there are; they are shown this once',
    run: factors.renewCodes,
  }),
  remove: endpoint({
    allow: 'factor.manage',
    stepUp: true,
    returns: Done,
    summary: 'Remove the own second factor',
    run: factors.remove,
  }),
  prove: endpoint({
    allow: 'factor.manage',
    data: Proof,
    returns: Done,
    summary: 'Prove once more that it is oneself; it counts for ten minutes in this session',
    run: prove,
  }),
}
