import { Link } from '@remix-run/react'
import { useState } from 'react'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { CheckField, SelectField } from '#app/components/form/field.tsx'
import { locales, type Locale } from '#functions/shapes/locale.ts'

export interface HubLanguagesProps {
  /** The languages of the hub, the default first. */
  languages: readonly Locale[]
  version: number
}

const options = locales.map(({ code, name }) => ({ value: code, label: name }))

/** The choice of the hub's languages, and of the default one. */
export function HubLanguages({ languages, version }: HubLanguagesProps) {
  const [own, setOwn] = useState<string>(languages[0] ?? 'en')
  return (
    <ShortForm
      preventScrollReset
      version={version}
      names={['own']}
      save={{ intent: 'languages', label: 'Save the languages', doing: 'Saving…' }}
    >
      <SelectField
        label="First language"
        name="own"
        hint="Its pages have the short addresses. Addresses of before lead on to the new ones."
        options={options}
        value={own}
        onChange={(event) => setOwn(event.currentTarget.value)}
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
          Menus, sentences about charts, numbers and dates are in each of them. What you write yourselves is
          as you wrote it until you <Link to="/translations">translate it</Link>, and marked with its
          language.
        </p>
      </fieldset>
    </ShortForm>
  )
}
