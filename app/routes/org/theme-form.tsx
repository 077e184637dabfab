import { useState } from 'react'
import { ColourField } from './colour-field.tsx'
import { adviceOn } from './contrast.ts'
import { PictureField } from './picture-field.tsx'
import { ThemePreview } from './theme-preview.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { defaultPrimary } from '#app/theme/colour.ts'
import type { ThemeImage } from '#functions/shapes/place.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'

/** The pictures of an organization, where each is shown. */
export const themePictures: readonly (readonly [name: ThemeImage, label: string, hint: string])[] = [
  ['squareImage', 'Square image', 'In the workspace, and beside the hub’s titles in browsers. Square.'],
  ['headerImage', 'Header image', 'Below the first words of the hub’s home, as wide as the page. Wide.'],
  ['logoImage', 'Logo', 'Beside the name in the head of the hub.'],
  [
    'logoFullImage',
    'Wide logo',
    'Instead of the name in the head of the hub, on wide screens. With the name in it.',
  ],
  ['logoCollapseImage', 'Small logo', 'Beside the name on phones, instead of the logo. Square.'],
]

const names = ['theme.primaryColor', ...themePictures.map(([name]) => `theme.${name}`)]

export interface ThemeFormProps {
  place: { id: string; theme: Record<string, string>; version: number }
  refused: RefusedForm | undefined
  given: Record<string, string> | undefined
}

/** The colour and the pictures of an organization. The colour is seen in both themes before it is saved. */
export function ThemeForm({ place, refused, given }: ThemeFormProps) {
  const [isUnsaved, setUnsaved] = useState(false)
  const shown = (name: string) => given?.[`theme.${name}`] ?? place.theme[name] ?? ''
  const [colour, setColour] = useState(shown('primaryColor') || defaultPrimary)
  return (
    <KeptForm
      thing="organization/look"
      title="The look of the organization"
      version={place.version}
      className="form is-wide"
      preventScrollReset
      asks={false}
      onUnsaved={setUnsaved}
    >
      <input type="hidden" name="version" value={place.version} />
      <FormError refused={refused} names={names} />
      <ColourField
        label="Theme colour"
        name="theme.primaryColor"
        hint="Written as #ec7945."
        value={colour}
        refused={refused}
        onChange={setColour}
      />
      <ThemePreview colour={colour} />
      <p className="muted" role="status">
        {adviceOn(colour) ?? 'This colour can be read as it is, in both themes.'}
      </p>
      {themePictures.map(([name, label, hint]) => (
        <PictureField
          key={name}
          label={label}
          name={`theme.${name}`}
          hint={hint}
          value={shown(name)}
          assetsId={place.id}
          refused={refused}
        />
      ))}
      <div className="form-actions">
        <SubmitButton intent="theme" doing="Saving…">
          Save the look
        </SubmitButton>
        {isUnsaved ? <span className="muted">Not saved yet</span> : null}
      </div>
    </KeptForm>
  )
}
