import { useState } from 'react'
import { TextField } from './field.tsx'
import { issueAt, type FormErrors } from './issues.ts'
import { PasskeyField } from './passkey-field.tsx'
import { parseJsonOrText } from './typed-text.ts'

/** The person's second factors besides recovery codes. */
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

/** Inputs for a passkey, an app's code, or a recovery code. Without scripts both kinds of codes share an input. */
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
  // Without scripts the error may be about the code of someone without an app.
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

/** Reads the second step from its form: passkey, else recovery code if given, or if the code contains letters. */
export function secondStepIn(
  form: FormData,
): { code: string } | { recoveryCode: string } | { passkey: unknown } {
  const passkey = form.get('passkey')
  if (typeof passkey === 'string' && passkey !== '') return { passkey: parseJsonOrText(passkey) }
  const code = String(form.get('code') ?? '')
  const recoveryCode = form.get('recoveryCode')
  if (typeof recoveryCode === 'string') return { recoveryCode }
  return /[a-z]/i.test(code) ? { recoveryCode: code } : { code }
}
