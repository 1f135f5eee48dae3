Creator "igraph version 0.10.4 Sun Mar  3 10:00:00 2024"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "Zürich"
    graphics [ x 0.5 fill "#ff0000" ]
  ]
  node
  [
    id 1
    name "Genève"
    graphics [ x 1.5 fill "#ff0000" ]
  ]
  node
  [
    id 2
    name "Basel"
    graphics [ x 2.5 fill "#ff0000" ]
  ]
  node
  [
    id 3
    name "St. Gallen"
    graphics [ x 3.5 fill "#ff0000" ]
  ]
  edge
  [
    source 0
    target 1
    weight 277.5
  ]
  edge
  [
    source 0
    target 2
    weight 85
  ]
  edge
  [
    source 0
    target 3
    weight 84
  ]
  edge
  [
    source 1
    target 2
    weight 250
  ]
]
