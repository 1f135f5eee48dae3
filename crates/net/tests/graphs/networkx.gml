graph [
  name "House"
  node [
    id 0
    label "Z&#252;rich"
  ]
  node [
    id 1
    label "Gen&#232;ve"
  ]
  node [
    id 2
    label "Basel"
  ]
  node [
    id 3
    label "St. Gallen"
  ]
  edge [
    source 0
    target 1
    weight 277.5
    kind "rail"
  ]
  edge [
    source 0
    target 2
    weight 85.0
    kind "rail"
  ]
  edge [
    source 0
    target 3
    weight 84.0
    kind "rail"
  ]
  edge [
    source 1
    target 2
    weight 250.0
    kind "rail"
  ]
]
