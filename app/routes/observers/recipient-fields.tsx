import { useState } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { CheckField, TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'

export interface RecipientFieldsProps {
  people: { id: string; name: string; email: string }[]
  value: { channels: readonly string[]; recipients: readonly string[]; webhookUrl: string | null }
  errors: FormErrors | undefined
}

/** The recipients of an observer: members by email, programs by webhook. Alerts are listed in any case. */
export function RecipientFields({ people, value, errors }: RecipientFieldsProps) {
  const [channels, setChannels] = useState<ReadonlySet<string>>(new Set(value.channels))
  const toggle = (channel: string) => (event: { target: { checked: boolean } }) => {
    const next = new Set(channels)
    if (event.target.checked) next.add(channel)
    else next.delete(channel)
    setChannels(next)
  }
  const isHydrated = useHydrated()
  // Without scripts nothing can be expanded, so everything is shown.
  const isOff = (channel: string) => isHydrated && !channels.has(channel)
  const recipientsIssue = errors?.issues.find(({ path }) => path[0] === 'recipients')
  return (
    <fieldset className="fieldset">
      <legend>Tell</legend>
      <p className="field-hint">Alerts are always listed here for the whole team.</p>
      <CheckField
        label="By e-mail"
        name="email"
        value="yes"
        defaultChecked={channels.has('email')}
        onChange={toggle('email')}
      />
      <div className={isOff('email') ? 'tell-more is-off' : 'tell-more'}>
        <div className="field" role="group" aria-label="Who gets the e-mail">
          {people.map(({ id, name, email }) => (
            <label key={id} className="choice">
              <input
                type="checkbox"
                name="recipients"
                value={id}
                defaultChecked={value.recipients.includes(id)}
              />
              <span>
                {name || email} {name ? <span className="muted">{email}</span> : null}
              </span>
            </label>
          ))}
          {recipientsIssue ? <p className="field-error">{recipientsIssue.message}</p> : null}
        </div>
      </div>
      <CheckField
        label="By webhook"
        name="webhook"
        value="yes"
        defaultChecked={channels.has('webhook')}
        onChange={toggle('webhook')}
      />
      <div className={isOff('webhook') ? 'tell-more is-off' : 'tell-more'}>
        <TextField
          label="Web address to call"
          name="webhookUrl"
          type="url"
          hint="A signed POST for each alert and recovery, tried for four days."
          maxLength={2000}
          defaultValue={value.webhookUrl ?? ''}
          errors={errors}
        />
      </div>
    </fieldset>
  )
}
