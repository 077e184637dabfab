import { useState, type CSSProperties } from 'react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import { BoundaryField, type BoundaryChoice } from './boundary-field.tsx'
import { ColourField } from './colour-field.tsx'
import type { Outline } from './outline.ts'
import { PartForm } from './part-form.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { CheckField } from '#app/components/form/field.tsx'
import { SetField } from '#app/components/query/set-field.tsx'
import { asHex } from '#app/theme/colour.ts'

export interface MapFormProps {
  place: {
    id: string
    theme: Record<string, string>
    map: { showStateLabel: boolean; allStatesBoundaryId: string; layerColor: string }
    version: number
  }
  /** `goneFrom`: the set that has this boundary no more. */
  boundary: (BoundaryChoice & { outline: Outline | null; goneFrom?: string }) | null
}

const names = ['boundaryId', 'allStatesBoundaryId', 'mapConfiguration.layerColor']

/** Issues about own areas are shown at the boundary input. */
const moveBoundaryIssues = (errors: FormErrors): FormErrors => ({
  ...errors,
  issues: errors.issues.map((issue) =>
    issue.path?.[0] === 'ownBoundary' ? { ...issue, path: ['boundaryId'] } : issue,
  ),
})

/** The boundary and map settings, with a small preview. */
export function MapForm({ place, boundary }: MapFormProps) {
  const [colour, setColour] = useState(place.map.layerColor || asHex(place.theme.primaryColor))
  const sets = useOwnSets(place.id)
  const [borders, setBorders] = useState(place.map.allStatesBoundaryId)
  const [isLabelled, setLabelled] = useState(place.map.showStateLabel)
  return (
    <PartForm
      part="map"
      title="The map of the organization"
      version={place.version}
      names={names}
      place={moveBoundaryIssues}
      saved={place.map}
      label="Save the map"
    >
      <div className="map-settings">
        <div className="form">
          <BoundaryField
            key={boundary?.id}
            label="Boundary"
            name="boundaryId"
            hint="The area the map opens on: a country, a region of one, a state or county, or areas of a public boundary set of yours."
            choice={boundary}
            placeId={place.id}
            sets={sets}
          />
          <SetField
            label="Regions around it"
            name="allStatesBoundaryId"
            hint="Which borders the map draws."
            none="None"
            whose="usable"
            value={borders}
            onChange={(set) => setBorders(set?.id ?? '')}
          />
          <ColourField
            label="Layer colour"
            name="mapConfiguration.layerColor"
            hint="The boundary is drawn in it, or in the nearest colour that can be seen on land."
            value={colour}
            onChange={setColour}
          />
          <CheckField
            label="Show the names of states"
            name="mapConfiguration.showStateLabel"
            defaultChecked={isLabelled}
            onChange={(event) => setLabelled(event.target.checked)}
          />
        </div>
        <MapPreview boundary={boundary} colour={colour} isLabelled={isLabelled} />
      </div>
    </PartForm>
  )
}

function MapPreview({
  boundary,
  colour,
  isLabelled,
}: Pick<MapFormProps, 'boundary'> & { colour: string; isLabelled: boolean }) {
  const outline = boundary?.outline
  if (!outline)
    return (
      <p className={boundary?.goneFrom ? 'map-preview notice is-warning' : 'map-preview muted'}>
        {boundary?.goneFrom
          ? `The area “${boundary.name}” is no longer in ${boundary.goneFrom}, so the map of the organization shows no boundary. Choose another one.`
          : boundary
            ? `${boundary.name} has no area to draw.`
            : 'Choose a boundary, save it, and it is drawn here.'}
      </p>
    )
  const { path, width, height } = outline
  return (
    <figure className="map-preview" style={{ '--shown-layer': asHex(colour) } as CSSProperties}>
      <svg
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        role="img"
        aria-label={`The outline of ${boundary.name}`}
      >
        <path d={path} />
        {isLabelled ? (
          <text x={width / 2} y={height / 2} textAnchor="middle">
            {boundary.name}
          </text>
        ) : null}
      </svg>
      <figcaption className="muted">{boundary.name}</figcaption>
    </figure>
  )
}
