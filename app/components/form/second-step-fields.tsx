import { useState } from 'react'
import { TextField } from './field.tsx'
import { issueAt, type FormErrors } from './issues.ts'
import { PasskeyField } from './passkey-field.tsx'

/** What a person can show besides a recovery code. */
export interface Factors {
  app: boolean
  passkey: boolean
}

type Way = 'passkey' | 'code' | 'recoveryCode'

const all: readonly Way[] = ['passkey', 'code', 'recoveryCode']
const others: Record<Way, string> = {
  passkey: 'Use a passkey instead',
  code: 'Use the app instead',
  recoveryCode: 'Use a recovery code instead',
}

/**
 * A passkey, the code of the app, or a recovery code instead. Without scripts codes of both kinds are typed into the same field.
 */
export function SecondStepFields({
  errors,
  factors,
  during,
}: {
  errors: FormErrors | undefined
  factors: Factors
  during: 'session' | 'signIn'
}) {
  const ways: Way[] = [
    ...(factors.passkey ? (['passkey'] as const) : []),
    ...(factors.app || !factors.passkey ? (['code'] as const) : []),
    'recoveryCode',
  ]
  // Without scripts also a code is refused of who has no app.
  const refusedWay = all.find((way) => issueAt(errors, way) !== undefined)
  const [way, setWay] = useState<Way>(refusedWay ?? ways[0] ?? 'code')
  return (
    <>
      {way === 'passkey' ? (
        <PasskeyField during={during} errors={errors} />
      ) : way === 'recoveryCode' ? (
        <TextField
          label="Recovery code"
          name="recoveryCode"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          hint="One of those you kept when you set up your second factor. Each works once."
          required
          autoFocus
          errors={errors}
        />
      ) : (
        <TextField
          label="Code of your authenticator app"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="Six digits. Each code works once."
          required
          autoFocus
          errors={errors}
        />
      )}
      <div className="button-group needs-scripts">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <button
              key={other}
              type="button"
              className="button is-small is-quiet"
              onClick={() => setWay(other)}
            >
              {others[other]}
            </button>
          ))}
      </div>
      <noscript>
        {way === 'passkey' ? (
          <label className="field">
            Code of your authenticator app, or a recovery code: a passkey takes scripts
            <input name="code" className="input" autoComplete="off" required />
          </label>
        ) : (
          <p className="field-hint">To use a recovery code instead, type it into the same field.</p>
        )}
      </noscript>
    </>
  )
}

/** What such a form says: the answer of a passkey, else the recovery code where there is one, or where the code has letters as only they have. */
export function secondStepIn(
  form: FormData,
): { code: string } | { recoveryCode: string } | { passkey: unknown } {
  const passkey = form.get('passkey')
  if (typeof passkey === 'string' && passkey !== '') return { passkey: jsonIn(passkey) }
  const code = String(form.get('code') ?? '')
  const recoveryCode = form.get('recoveryCode')
  if (typeof recoveryCode === 'string') return { recoveryCode }
  return /[a-z]/i.test(code) ? { recoveryCode: code } : { code }
}

/** What a text of JSON says; the text itself where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
