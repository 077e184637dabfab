import { formatNumber } from '#app/components/list/number-format.ts'
import { Moment } from '#app/components/list/time.tsx'

export interface OwnLine {
  id: string
  at: Date | string
  verb: string
  targetType: string
  targetId: string
  targetName: string
  actorId: string | null
  ipPrefix: string | null
}

/** The account's activity, newest first, so that a person can notice actions of others. */
export function OwnActivity({ lines, total }: { lines: OwnLine[]; total: number }) {
  return (
    <section className="stack" aria-labelledby="own-activity">
      <h2 id="own-activity">What happened to your account</h2>
      <p className="muted">
        Signing in, passwords, second factor and keys of the last year. If something here was not you, choose
        a new password.
      </p>
      {lines.length ? (
        <ul className="list">
          {lines.map((line) => (
            <li key={line.id} className="list-item">
              <div className="list-main">
                <div className="list-title">{describeOwnActivity(line)}</div>
                <div className="list-note">
                  <Moment date={line.at} />
                  {line.ipPrefix ? `, network ${line.ipPrefix}` : null}
                </div>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p>Nothing yet.</p>
      )}
      {total > lines.length ? (
        <p className="muted">
          The newest {lines.length} of {formatNumber(total)}.
        </p>
      ) : null}
    </section>
  )
}

const words: Record<string, string> = {
  signedIn: 'Signed in',
  signInFailed: 'A sign-in failed',
  signedOutElsewhere: 'Signed out everywhere else',
  passwordChanged: 'Password changed',
  passwordReset: 'New password chosen by email',
  emailChanged: 'E-mail address changed',
  emailRestored: 'Earlier e-mail address restored',
  factorAdded: 'Second factor set up',
  factorRemoved: 'Second factor removed',
  codesRenewed: 'New recovery codes made',
  passkeyAdded: 'Passkey added',
  passkeyRenamed: 'Passkey renamed',
  passkeyRemoved: 'Passkey removed',
  ssoConnected: 'Sign-in of an organization connected',
  ssoDisconnected: 'Sign-in of an organization disconnected',
}
const wordsOfKey: Record<string, string> = { created: 'made', deleted: 'revoked', expired: 'expired' }

/** An entry in words. An operator who removed a second factor is named as such. */
export function describeOwnActivity({ verb, targetType, targetId, targetName, actorId }: OwnLine): string {
  if (targetType === 'key') return `Key “${targetName}” ${wordsOfKey[verb] ?? verb}`
  if (verb === 'accessEnded') return `Left the organization ${targetId}`
  if (verb === 'accessOpened') return `Opened the organization ${targetId}: ${targetName}`
  if (verb === 'factorRemoved' && actorId === null) return 'Second factor removed by an operator'
  return words[verb] ?? verb
}
