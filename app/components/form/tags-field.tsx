import { TextField } from './field.tsx'

/** An input for tags, separated by commas. Hubs show only those of sources. */
export function TagsField() {
  return (
    <TextField
      label="Tags"
      name="tags"
      hint="Words to find it by, with commas between them. Hubs do not show them; whoever may see this may read them."
      maxLength={1040}
    />
  )
}
