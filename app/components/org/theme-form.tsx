import { Form } from '@remix-run/react'
import { useRef, useState } from 'react'
import { ColourField } from './colour-field.tsx'
import { adviceOn } from './contrast.ts'
import { PictureField } from './picture-field.tsx'
import { ThemePreview } from './theme-preview.tsx'
import { FormError } from '../form/form-error.tsx'
import type { Refused } from '../form/issues.ts'
import { SubmitButton } from '../form/submit-button.tsx'
import { useUnsaved } from '../form/use-unsaved.ts'
import { defaultPrimary } from '#app/theme/colour.ts'

/** The pictures of an organization, where each is shown. */
export const themePictures = [
  ['squareImage', 'Square image', 'In the workspace, in lists and as the picture of shared links. Square.'],
  ['headerImage', 'Header image', 'Behind the head of the hub’s home. Wide.'],
  ['logoImage', 'Logo', 'Beside the name in the head of the hub.'],
  ['logoFullImage', 'Wide logo', 'Where there is room for the name in it.'],
  ['logoCollapseImage', 'Small logo', 'Where the sidebar is collapsed. Square.'],
] as const

const names = ['theme.primaryColor', ...themePictures.map(([name]) => `theme.${name}`)]

export interface ThemeFormProps {
  place: { id: string; theme: Record<string, string>; version: number }
  refused: Refused | undefined
  given: Record<string, string> | undefined
}

/** The colour and the pictures of an organization. The colour is seen in both themes before it is saved. */
export function ThemeForm({ place, refused, given }: ThemeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { isUnsaved, mark } = useUnsaved(form)
  const shown = (name: string) => given?.[`theme.${name}`] ?? place.theme[name] ?? ''
  const [colour, setColour] = useState(shown('primaryColor') || defaultPrimary)
  return (
    <Form method="post" className="form is-wide" ref={form} preventScrollReset>
      <input type="hidden" name="version" value={place.version} />
      <FormError refused={refused} names={names} />
      <ColourField
        label="Theme colour"
        name="theme.primaryColor"
        hint="Written as #ec7945."
        value={colour}
        refused={refused}
        onChange={(next) => {
          setColour(next)
          mark()
        }}
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
          onChange={mark}
        />
      ))}
      <div className="form-actions">
        <SubmitButton intent="theme" doing="Saving…">
          Save the look
        </SubmitButton>
        {isUnsaved ? <span className="muted">Not saved yet</span> : null}
      </div>
    </Form>
  )
}
