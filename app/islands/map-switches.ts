/** The switches of a map, by their keys. */
export function wireSwitches(within: HTMLElement, onTurn: (key: string, isOn: boolean) => void) {
  const switches = [...within.querySelectorAll<HTMLInputElement>('[data-map-switch]')]
  const getSwitchKey = (each: HTMLInputElement) => each.dataset['mapSwitch'] ?? ''
  const keys = (isOn: boolean) => switches.filter(({ checked }) => checked === isOn).map(getSwitchKey)
  for (const each of switches) each.addEventListener('change', () => onTurn(getSwitchKey(each), each.checked))
  return {
    off: () => new Set(keys(false)),
    /** The keys of the enabled ones, if they differ from the defaults. */
    getChoice: () => (switches.some((each) => each.checked !== each.defaultChecked) ? keys(true) : undefined),
    /** Enables exactly these. */
    choose(on: readonly string[]) {
      for (const each of switches) each.checked = on.includes(getSwitchKey(each))
    },
  }
}
