import { useState } from 'react'
import { TextField } from './field.tsx'
import { issueAt, type Refused } from './issues.ts'

/**
 * The code of the app, or a recovery code instead. Without scripts both are typed into the same field.
 */
export function SecondStepFields({ refused }: { refused: Refused | undefined }) {
  const [isLost, setLost] = useState(issueAt(refused, 'recoveryCode') !== undefined)
  return isLost ? (
    <>
      <TextField
        label="Recovery code"
        name="recoveryCode"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        hint="One of those you kept when you set up the app. Each works once."
        required
        autoFocus
        refused={refused}
      />
      <button type="button" className="button is-small is-quiet" onClick={() => setLost(false)}>
        Use the app instead
      </button>
    </>
  ) : (
    <>
      <TextField
        label="Code of your authenticator app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="Six digits. Each code works once."
        required
        autoFocus
        refused={refused}
      />
      <button type="button" className="button is-small is-quiet needs-scripts" onClick={() => setLost(true)}>
        Use a recovery code instead
      </button>
      <noscript>
        <p className="field-hint">To use a recovery code instead, type it into the same field.</p>
      </noscript>
    </>
  )
}

/** What such a form says: the recovery code where there is one, or where the code has letters as only they have. */
export function secondStepIn(form: FormData): { code: string } | { recoveryCode: string } {
  const code = String(form.get('code') ?? '')
  const recoveryCode = form.get('recoveryCode')
  if (typeof recoveryCode === 'string') return { recoveryCode }
  return /[a-z]/i.test(code) ? { recoveryCode: code } : { code }
}
