import { readFileSync } from 'node:fs'
import { fitted, project } from '#app/maps/projection.ts'
import { planAreas, simplified, mergedPath, borderPath } from '#app/maps/areas.ts'
import { topology } from 'topojson-server'; import { presimplify } from 'topojson-simplify'
const c=JSON.parse(readFileSync('/tmp/tiles/boundaries/us-counties.geojson','utf8'))
const T=(n:string,f:()=>any)=>{const t=performance.now();const r=f();console.log(n,Math.round(performance.now()-t));return r}
for(let k=0;k<2;k++){
const pr=T('fit',()=>fitted('albersUsa',[c],[],{width:960,height:600}))
const fs=T('project',()=>c.features.map((f:any)=>project(f,pr)))
const t=T('topology',()=>topology({s:{type:'FeatureCollection',features:fs}} as any)); T('presimplify',()=>presimplify(t))
const plan=T('plan',()=>planAreas(c,undefined,pr))
for(const d of [{area:.2,grid:.1},{area:1,grid:.5},{area:1,grid:1},{area:2,grid:1},{area:4,grid:1},{area:8,grid:2}]){const s=T('simplify',()=>simplified(plan,d)); const g:any[][]=[[],[],[],[],[],[],[]]; s.shapes.forEach((x,i)=>g[(i*7919)%7]!.push(x)); console.log(JSON.stringify(d),T('merge',()=>g.map(m=>mergedPath(s,m,d)).join('')).length, T('border',()=>borderPath(s,false,d)).length)}
}
