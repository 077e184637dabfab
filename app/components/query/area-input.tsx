import { useEffect, useId, useState } from 'react'

/** Maximum number of suggested areas. */
const maxOffered = 20

interface Area {
  code: string
  name: string
}

/** The label of an area: its name, with its code if that differs, as names need not be unique. */
const areaLabel = ({ code, name }: Area) => (code === name ? name : `${name} · ${code}`)

interface AreaInputProps {
  placeId: string
  /** The boundary set; '' if none is chosen yet. */
  setId: string
  label: string
  /** The name of the input in a GET form, whose text is restored from the URL. */
  name?: string
  defaultValue?: string
  /** Called with the area that was chosen or typed completely; the input is then cleared. */
  onChoose?(area: Area): void
}

/** Finds an area of a boundary set by name or code, with a native datalist; debounced by 200 ms. */
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

/** The areas of a set that match a text; the first ones without text. */
function useAreas(placeId: string, setId: string, text: string): Area[] {
  const [matches, setMatches] = useState<{ of: string; areas: Area[] }>({ of: '', areas: [] })
  useEffect(() => {
    if (placeId === '' || setId === '') return
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const search = text.split(' · ')[0]?.trim() ?? ''
      const options = { limit: maxOffered, ...(search ? { search } : {}) }
      const setRequest = { placeId, boundarySetId: setId, options }
      const { results } = await api().place.boundarySet.area.find(setRequest, { signal: control.signal })
      setMatches({ of: setId, areas: results.map(({ code, name }) => ({ code, name })) })
    }
    // A failed search is repeated with the next input; a code may be typed.
    const timer = setTimeout(() => void ask().catch(() => {}), 200)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [placeId, setId, text])
  return matches.of === setId ? matches.areas : []
}
