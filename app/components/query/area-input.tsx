import { useEffect, useId, useState } from 'react'

/** Areas that are offered at a time. */
const mostOffered = 20

interface Area {
  code: string
  name: string
}

/** What an area is called where its code is another word: names may repeat, codes do not. */
const areaLabel = ({ code, name }: Area) => (code === name ? name : `${name} · ${code}`)

interface AreaInputProps {
  placeId: string
  /** The set whose areas are looked through; '': none yet. */
  setId: string
  label: string
  /** Of the input, where its form is sent by the address: its text is found again there. */
  name?: string
  defaultValue?: string
  /** Called with the area that was chosen or typed in full; the input is empty again then. */
  onChoose?(area: Area): void
}

/** Finds an area of a boundary set by its name or code: the browser's own list, which is asked for 200 ms after the last letter. */
export function AreaInput({ placeId, setId, label, name, defaultValue = '', onChoose }: AreaInputProps) {
  const id = useId()
  const [text, setText] = useState(defaultValue)
  const areas = useAreas(placeId, setId, text)
  const type = (next: string) => {
    const area = areas.find((each) => areaLabel(each) === next || each.code === next)
    setText(area && onChoose ? '' : next)
    if (area) onChoose?.(area)
  }
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <input
        {...(name === undefined ? {} : { name })}
        type="search"
        list={id}
        value={text}
        maxLength={200}
        autoComplete="off"
        placeholder="Name or code"
        disabled={setId === '' && name === undefined}
        onChange={({ target }) => type(target.value)}
      />
      <datalist id={id}>
        {areas.map((area) => (
          <option key={area.code} value={areaLabel(area)} />
        ))}
      </datalist>
    </label>
  )
}

/** The areas of a set that fit what was typed, the first of them where nothing was. */
function useAreas(placeId: string, setId: string, text: string): Area[] {
  const [matches, setMatches] = useState<{ of: string; areas: Area[] }>({ of: '', areas: [] })
  useEffect(() => {
    if (placeId === '' || setId === '') return
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const search = text.split(' · ')[0]?.trim() ?? ''
      const options = { limit: mostOffered, ...(search ? { search } : {}) }
      const ofSet = { placeId, boundarySetId: setId, options }
      const { results } = await api().place.boundarySet.area.find(ofSet, { signal: control.signal })
      setMatches({ of: setId, areas: results.map(({ code, name }) => ({ code, name })) })
    }
    // Who cannot be asked now is asked with the next letter; a code may be typed.
    const timer = setTimeout(() => void ask().catch(() => {}), 200)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [placeId, setId, text])
  return matches.of === setId ? matches.areas : []
}
