print("npi-pack")
