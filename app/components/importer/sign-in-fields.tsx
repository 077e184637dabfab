import { useState } from 'react'
import { CheckField, TextField } from '../form/field.tsx'
import type { FormErrors } from '../form/issues.ts'
import { clientSecretName, sourceInput, type GrantText, type ShownSource } from './remote-source.ts'
import { RequestRows, secretHint } from './request-rows.tsx'

interface SignInFieldsProps {
  source: ShownSource
  errors: FormErrors | undefined
  isUnscripted?: boolean | undefined
  onChange(): void
}

/** The OAuth grant for a token before each run. A stored secret is never sent to the browser. */
export function SignInFields({ source, errors, isUnscripted, onChange }: SignInFieldsProps) {
  const { id, hasGrant, grant, clientSecret } = source
  const [isOn, setOn] = useState(hasGrant)
  const field = (name: GrantText) => ({
    ...{ name: sourceInput(id, 'oauth', 'grant', name), defaultValue: grant[name], errors },
    ...{ autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
  })
  return (
    <fieldset className="request-part" data-never-kept="">
      <legend>Sign-in</legend>
      <CheckField
        label="Ask for a token first (OAuth)"
        name={sourceInput(id, 'oauth')}
        value="yes"
        defaultChecked={hasGrant}
        onChange={(event) => setOn(event.currentTarget.checked)}
        hint="It is asked for before each run and sent as Bearer."
        errors={errors}
      />
      <div className={isOn ? 'request-more' : 'request-more is-unchosen'}>
        <div className="field-row">
          <TextField label="Address of the token" inputMode="url" placeholder="https://" {...field('url')} />
          <TextField label="Kind of grant" {...field('type')} />
        </div>
        <div className="field-row">
          <TextField label="Client id" {...field('client_id')} />
          <TextField
            {...field('client_id')}
            label="Client secret"
            name={sourceInput(id, 'oauth', 'grant', clientSecretName)}
            defaultValue={clientSecret.value}
            hint={secretHint(clientSecret) ?? (clientSecret.isKept ? 'Kept. Type to replace it.' : undefined)}
          />
          {clientSecret.isKept ? (
            <input type="hidden" name={sourceInput(id, 'oauth', 'kept')} value="yes" />
          ) : null}
          <TextField label="Scope" {...field('scope')} />
        </div>
        <RequestRows list="members" {...{ source, errors, isUnscripted, onChange }} />
      </div>
    </fieldset>
  )
}
