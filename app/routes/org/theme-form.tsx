import { useState } from 'react'
import { ColourField } from './colour-field.tsx'
import { adviceOn } from './contrast.ts'
import { PartForm } from './part-form.tsx'
import { PictureField } from './picture-field.tsx'
import { ThemePreview } from './theme-preview.tsx'
import { useSentForm } from '#app/components/form/edit-form.tsx'
import { defaultPrimary } from '#app/theme/colour.ts'
import type { ThemeImage } from '#functions/shapes/place.ts'

/** The pictures of an organization, by where each is shown. */
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
}

/** The colour and pictures of an organization, with a preview of the colour in both themes. */
export function ThemeForm({ place }: ThemeFormProps) {
  const { formValues } = useSentForm('theme')
  const readValue = (name: string) => formValues?.[`theme.${name}`] ?? place.theme[name] ?? ''
  const [colour, setColour] = useState(readValue('primaryColor') || defaultPrimary)
  return (
    <PartForm
      part="theme"
      title="The look of the organization"
      version={place.version}
      names={names}
      label="Save the look"
    >
      <ColourField
        label="Theme colour"
        name="theme.primaryColor"
        hint="Written as #ec7945."
        value={colour}
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
          value={readValue(name)}
          assetsId={place.id}
        />
      ))}
    </PartForm>
  )
}
