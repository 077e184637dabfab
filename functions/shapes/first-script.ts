/**
 * The script in the head of every page, before anything is drawn: "a stored theme applies before first paint", a collapsed
 * sidebar does not jump, who comes from another page of the site has its faces at once (nothing is stored to know that), and
 * what only scripts can do has its room from the start. It stands in the document itself, so no page waits for a request for
 * it. Drawings of their own files are asked for when the first paint is told, which they would only delay, or a second
 * later. When a hub page has been drawn and the browser is idle, it fetches the page's own script (`data-script` of the root
 * element). Classic, no imports.
 */
export const firstScript = `{const h=document.documentElement,d=h.dataset
d.scripts=''
try{const s=localStorage,t=s.getItem('theme')
if(t==='dark-theme')h.classList.add(t)
else if(t==='light-theme')d.theme='light'
if(s.getItem('sidebar')==='collapsed')d.sidebar='collapsed'}catch{}
if(document.referrer.startsWith(location.origin+'/')&&!navigator.connection?.saveData)d.faces=''
addEventListener('DOMContentLoaded',()=>{
const draw=()=>{for(const u of document.querySelectorAll('use:not([href])'))u.setAttribute('href',u.dataset.href)}
setTimeout(draw,1000)
try{new PerformanceObserver(draw).observe({type:'paint',buffered:true})}catch{}})
if(d.script)addEventListener('DOMContentLoaded',()=>setTimeout(()=>(self.requestIdleCallback??setTimeout)(()=>{
const s=document.createElement('script')
s.type='module'
s.src=d.script
document.head.append(s)}),200))}`

/** What a Content-Security-Policy allows it by: the SHA-256 of exactly that text. A test holds the two together. */
export const firstScriptHash = 'sha256-c3kZ9bW5FsMMaEbQtU69y5EScZ/44yvi2Bzetkf6/Zw='
