import { useLoaderData } from '@remix-run/react'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { duplicate, duplicateScreen } from './duplicate.server.ts'

/** A copy of a thing under its own name, initially private. */
export const loader = duplicateScreen

export const action = duplicate

export const meta = placeTitle<{ name: string }>(({ name }) => `Duplicate ${name}`)

export default function Duplicate() {
  const { name, copyName, says, list } = useLoaderData<typeof loader>()
  return (
    <Screen isNarrow title={`Duplicate ${name}`} crumbs={[{ label: 'Back', to: list }]} sub={says}>
      <ShortForm
        className="form"
        names={['name']}
        save={{ intent: 'copy', label: 'Duplicate', doing: 'Copying…' }}
        cancel={{ to: list }}
      >
        <TextField label="Name of the copy" name="name" defaultValue={copyName} required maxLength={200} />
      </ShortForm>
    </Screen>
  )
}
