import { Form } from '@remix-run/react'
import { useState } from 'react'
import { CheckField, SelectField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { locales, type Locale } from '#functions/shapes/locale.ts'

export interface HubLanguagesProps {
  /** What the pages of the hub are in, its own language first. */
  languages: readonly Locale[]
  version: number
  refused: RefusedForm | undefined
}

const options = locales.map(({ code, name }) => ({ value: code, label: name }))

/** Which languages the pages of the hub are in, and which of them is its own. */
export function HubLanguages({ languages, version, refused }: HubLanguagesProps) {
  const [own, setOwn] = useState<string>(languages[0] ?? 'en')
  return (
    <Form method="post" className="form" preventScrollReset>
      <FormError refused={refused} names={['own']} />
      <input type="hidden" name="version" value={version} />
      <SelectField
        label="First language"
        name="own"
        hint="Its pages have the short addresses. Addresses of before lead on to the new ones."
        options={options}
        value={own}
        onChange={(event) => setOwn(event.currentTarget.value)}
        refused={refused}
      />
      <fieldset className="fieldset">
        <legend>Other languages</legend>
        {locales
          .filter(({ code }) => code !== own)
          .map(({ code, name }) => (
            <CheckField
              key={code}
              label={<span lang={code}>{name}</span>}
              name="spoken"
              value={code}
              defaultChecked={languages.includes(code)}
            />
          ))}
        <p className="field-hint">
          Menus, sentences about charts, numbers and dates are in each of them. What you write yourselves
          stays as you wrote it.
        </p>
      </fieldset>
      <div className="form-actions">
        <SubmitButton intent="languages" doing="Saving…">
          Save the languages
        </SubmitButton>
      </div>
    </Form>
  )
}
