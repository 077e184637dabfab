import { SetField } from '#app/components/query/set-field.tsx'

interface RegionSetFieldProps {
  /** The chosen set; '': inferred from the values. */
  value: string
  onChange(id: string): void
}

/** The choice of a map's region set. Private sets of the place work only in the workspace. */
export function RegionSetField({ value, onChange }: RegionSetFieldProps) {
  return (
    <SetField
      label="Regions of"
      none="Found from the values"
      whose="seen"
      value={value}
      onChange={(set) => onChange(set?.id ?? '')}
    />
  )
}
